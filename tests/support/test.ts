import { afterAll, test as base } from 'vitest'
import { type TestApp, testApp } from './app.ts'

/** A test that may ask for `app`: a server of its own, stopped when the test ends. */
export const test = base.extend('app', () => testApp())

/** One server for all tests of a file, which calls this at its top. */
export async function sharedApp(options?: Parameters<typeof testApp>[0]): Promise<TestApp> {
  const app = await testApp(options)
  afterAll(app.stop)
  return app
}
