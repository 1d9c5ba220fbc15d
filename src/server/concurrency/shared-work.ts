/** Runs work once at a time for each key: callers that arrive while it runs share its result. */
export function sharedWork<T>() {
  const underWay = new Map<string, Promise<T>>()
  return (key: string, work: () => Promise<T>): Promise<T> => {
    const shared = underWay.get(key) ?? work().finally(() => underWay.delete(key))
    underWay.set(key, shared)
    return shared
  }
}

export type SharedWork<T> = ReturnType<typeof sharedWork<T>>
