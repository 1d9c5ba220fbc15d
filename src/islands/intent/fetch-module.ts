/** How long to wait before a module that failed to load is requested again (ms). */
const RETRY_MS = 1000

/** Imports a module. A browser may cache a failed import, so the retry uses another URL. */
export const fetchModule = (address: string) =>
  import(address).catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    return import(`${address}?${Date.now()}`)
  })
