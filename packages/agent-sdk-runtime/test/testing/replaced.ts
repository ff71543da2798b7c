/** The object with some of its members replaced; its methods keep their `this`. */
export function replaced<Whole extends object>(real: Whole, change: Partial<Whole>): Whole {
  return new Proxy(real, {
    get(target, key) {
      if (Object.hasOwn(change, key)) return Reflect.get(change, key) as unknown;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
