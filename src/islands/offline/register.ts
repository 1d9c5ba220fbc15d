import { WORKER_ADDRESS, WORKER_POLICY } from '../../rules/offline.ts'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(address: string): string }
}

/** Registers the service worker; if the browser refuses, the shop works without it. */
export async function registerWorker(): Promise<void> {
  // The only policy that the page's CSP allows; it returns nothing but the worker's URL.
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy(WORKER_POLICY, {
    createScriptURL: () => WORKER_ADDRESS,
  })
  const address = policy?.createScriptURL(WORKER_ADDRESS) ?? WORKER_ADDRESS
  await navigator.serviceWorker.register(address).catch(() => {})
}
