// `npm run build`: compiles the site into `dist/<hash of the sources>`. It needs no database; pages are rendered
// into the page store when the shop starts.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAwayFiles } from './away-page.ts'
import { buildOf, currentBuild, isThere, removeOldBuilds } from './builds.ts'
import { compileSite } from './compile.ts'

const root = process.cwd()
// `ensureBuild` passes the hash that it waits for: sources may be edited while this runs.
const [, , sourcesHash] = process.argv
const wanted = sourcesHash ? buildOf(root, sourcesHash) : currentBuild(root)
const dist = join(root, 'dist')
await mkdir(dist, { recursive: true })
await writeAwayFiles(dist)
if (isThere(wanted)) console.log('The build is up to date.')
else await buildSite()

async function buildSite() {
  const startedAt = performance.now()
  const target = dirname(wanted.serverDirectory)
  // Renamed when complete, so that an aborted build does not look finished and two simultaneous builds do no
  // harm.
  const unfinished = `${target}.${process.pid}`
  try {
    await mkdir(unfinished, { recursive: true })
    await compileSite({ root, outDir: unfinished })
    await rename(unfinished, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  await removeOldBuilds(root)
  console.log(`Built the site in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}
