import { ensureBuild } from '../../src/server/publishing/publishing.ts'

/** A vitest `globalSetup`: builds the site, so that no shop has to build first, whichever starts first. */
export default async function setup(): Promise<void> {
  await ensureBuild()
}
