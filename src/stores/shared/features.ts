import type { Feature } from '../../rules/features.ts'

/**
 * Whether the backend, which is another one, does not have a feature. The page says so
 * (`layouts/Head.astro`): no call is needed.
 */
export const lacks = (feature: Feature): boolean =>
  globalThis.document?.documentElement?.dataset.lacks?.split(' ').includes(feature) ?? false
