/** The wait before a module that did not come is requested again (ms). */
const RETRY_MS = 1000

/** A browser may remember that a module did not come; by another address it is requested again. */
export const fetchModule = (address: string) =>
  import(address).catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    return import(`${address}?${Date.now()}`)
  })
