/** Who makes a request, as far as the server knows. */
export interface Caller {
  /** Name of the access key. Absent: the server has none. */
  readonly client?: string;
}
