/** What stands in for an object of the platform until that is needed. */
interface StandIn {
  toPlain(): object;
}

/** Whatever the platform's object has and the stand-in does not say itself is asked of a real one. */
export function delegateRest(standIn: StandIn, platform: object): void {
  for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(platform))) {
    if (Object.hasOwn(standIn, name)) continue;
    if (get !== undefined)
      Object.defineProperty(standIn, name, {
        get(this: StandIn) {
          return Reflect.get(this.toPlain(), name);
        },
        configurable: true,
      });
    else if (typeof value === "function")
      Object.defineProperty(standIn, name, {
        value(this: StandIn, ...args: readonly unknown[]) {
          return Reflect.apply(value, this.toPlain(), args);
        },
        configurable: true,
        writable: true,
      });
  }
}
