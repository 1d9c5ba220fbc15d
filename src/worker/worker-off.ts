// Replaces the worker if the operator has switched it off: removes everything that the worker kept,
// then itself.
import { scope } from './events.ts'

scope.addEventListener('install', (event) => {
  event.waitUntil(scope.skipWaiting())
})

scope.addEventListener('activate', (event) => {
  event.waitUntil(removeAll())
})

async function removeAll(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.map((name) => caches.delete(name)))
  await scope.registration.unregister()
}
