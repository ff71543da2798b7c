import { memoryDatabase, memoryStore } from "../../src/stores/memory/index.ts";
import type { SessionStore } from "../../src/stores/session-store.ts";
import type { StorePlace } from "../../src/testing/store-subject.ts";

/** What a spoilt store does otherwise. `all` are the sound ones of the place, this one included. */
export type Spoil = (real: SessionStore, all: readonly SessionStore[]) => Partial<SessionStore>;

/** A place of stores that are sound but for some methods. */
export function spoiltPlace(spoil: Spoil): StorePlace {
  const of = memoryDatabase();
  const all: SessionStore[] = [];
  return {
    store() {
      const real = memoryStore({ of });
      all.push(real);
      return spoilt(real, spoil(real, all));
    },
  };
}

/** The store with some of its methods replaced. */
export function spoilt(real: SessionStore, change: Partial<SessionStore>): SessionStore {
  return new Proxy(real, {
    get(target, key) {
      if (Object.hasOwn(change, key)) return Reflect.get(change, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
