/** A worker entry, bundled to one minified script as a string. Made by `build/inline-worker.ts`. */
declare module "*?worker-source" {
  const source: string;
  export default source;
}
