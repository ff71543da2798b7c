import { memoryDatabase, memoryStore } from "../../src/stores/memory/index.ts";
import type { SessionStore, SessionWrite } from "../../src/stores/session-store.ts";
import type { StorePlace } from "../../src/testing/store-subject.ts";
import { replaced } from "./replaced.ts";

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
      return replaced(real, spoil(real, all));
    },
  };
}

/** A store that hands other writes on than it was handed. */
export function writing(change: (write: SessionWrite) => SessionWrite): Spoil {
  return (real) => ({ commit: (writes) => real.commit(writes.map(change)) });
}

/** A store that does not notice a removal, but for what the change says. */
export function afterRemoval(change: Partial<SessionStore>): Spoil {
  return (real) => {
    const gone = new Set<string>();
    const methods: Partial<SessionStore> = {
      async remove(sessionId, epoch) {
        await real.remove(sessionId, epoch);
        gone.add(sessionId);
      },
    };
    for (const [name, method] of Object.entries(change) as [keyof SessionStore, (id: unknown) => unknown][]) {
      const otherwise = (real[name] as unknown as (...args: unknown[]) => unknown).bind(real);
      const chosen = (...args: unknown[]) => {
        const id = typeof args[0] === "string" ? args[0] : (args[0] as { id?: string } | undefined)?.id;
        return gone.has(id ?? "") ? method(args[0]) : otherwise(...args);
      };
      Object.assign(methods, { [name]: chosen });
    }
    return methods;
  };
}
