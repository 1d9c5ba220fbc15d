import { expect, test, vi } from 'vitest'
import { $hasWorker } from '../../src/stores/offline/shells.ts'

class Worker extends EventTarget {
  state: ServiceWorkerState
  constructor(state: ServiceWorkerState) {
    super()
    this.state = state
  }
  become(state: ServiceWorkerState): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

test('a substitute that removes itself is noticed even while the registration names the old worker', async () => {
  const before = new Worker('activated')
  const registration = { active: before }
  let registered: object | undefined = registration
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: before,
    ready: Promise.resolve(registration),
    getRegistration: async () => registered,
  })
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('caches', {})
  const seen: boolean[] = []
  const unsubscribe = $hasWorker.listen((has) => seen.push(has))
  expect($hasWorker.get()).toBe(true)

  const substitute = new Worker('activating')
  serviceWorker.controller = substitute
  serviceWorker.dispatchEvent(new Event('controllerchange'))
  await new Promise(setImmediate)
  registered = undefined
  substitute.become('activated')
  await vi.waitFor(() => expect($hasWorker.get()).toBe(false))
  expect(seen).toEqual([false])
  unsubscribe()
  vi.unstubAllGlobals()
})
