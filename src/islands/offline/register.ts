import { WORKER_ADDRESS, WORKER_POLICY } from '../../rules/offline.ts'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(address: string): string }
}

/** Registers the service worker; a browser that refuses works without one. */
export async function registerWorker(): Promise<void> {
  // The only policy that pages may have, and it knows but one address.
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy(WORKER_POLICY, {
    createScriptURL: () => WORKER_ADDRESS,
  })
  const address = policy?.createScriptURL(WORKER_ADDRESS) ?? WORKER_ADDRESS
  await navigator.serviceWorker.register(address).catch(() => {})
}
