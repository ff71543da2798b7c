/** The parts of an owner mark, `<storeId>.<hostId>.<sessionId>_<connection>`. */
export interface OwnerMark {
  readonly storeId: string;
  readonly hostId: string;
  readonly sessionId: string;
  readonly connection: string;
}

/** Reads an owner mark; `undefined` when it has another form. */
export function parseOwner(owner: string): OwnerMark | undefined {
  const [, storeId, hostId, sessionId, connection] = /^([^.]+)\.([^.]+)\.(.+)_([^_]+)$/u.exec(owner) ?? [];
  if (!storeId || !hostId || !sessionId || !connection) return undefined;
  return { storeId, hostId, sessionId, connection };
}

/** Matches what any host of a store left behind for a session. */
export function ownedBySession(storeId: string, sessionId: string): (owner: string) => boolean {
  return (owner) => {
    const mark = parseOwner(owner);
    return mark?.storeId === storeId && mark.sessionId === sessionId;
  };
}
