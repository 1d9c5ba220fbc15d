import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LOCALES } from '../../../i18n/locales.ts'
import { inLanguage } from '../../../i18n/paths.ts'
import type { PagePath } from '../../../rules/pages.ts'
import { inProduction } from '../../config/environment.ts'
import { compressBrotli } from '../answers/compression.ts'
import { sampleApi } from './sample-api.ts'
import { newTextOf } from './shared-text.ts'

/**
 * The pages whose shells form a dictionary, the most visited first, since the first stays in one piece. A
 * further page costs every visitor 1 to 3 KB, and saves as much where it is visited.
 */
const SAMPLES = [
  '/shop-details/1',
  '/',
  '/shop',
  '/teacher-details/1',
  '/teachers',
] satisfies PagePath[]

/** A made-up origin: addresses take few bytes of a page. */
const ORIGIN = 'https://shop.invalid'

/** The part of the built site that renders the samples. */
interface Rendering {
  app: {
    match(request: Request): object | undefined
    render(
      request: Request,
      options: { locals: App.ServerLocals; routeData: object },
    ): Promise<Response>
  }
}

/**
 * Writes a dictionary for each language, `ar.dict` and so on, and its brotli form: the shells of the
 * shop's pages, rendered with made-up data. Nothing of a shop is in it, so that it is the same for
 * every visitor and on every machine that has the build.
 */
export async function makeDictionaries(serverDirectory: string, target: string): Promise<void> {
  const { app }: Rendering = await inProduction(async () => {
    await import('react/jsx-runtime')
    return import(pathToFileURL(join(serverDirectory, 'entry.mjs')).href)
  })
  await mkdir(target, { recursive: true })
  for (const locale of LOCALES) {
    const shells: string[] = []
    for (const path of SAMPLES) {
      const shell = await render(app, inLanguage(locale, path))
      // Pages of this kind are then larger, but correct.
      if (shell === undefined) console.warn(`${path} could not be rendered for a dictionary.`)
      else shells.push(shell)
    }
    const dictionary = Buffer.from(newTextOf(shells))
    await writeFile(join(target, `${locale}.dict`), dictionary)
    await writeFile(join(target, `${locale}.dict.br`), await compressBrotli(dictionary, 11))
  }
}

async function render(app: Rendering['app'], path: string): Promise<string | undefined> {
  const request = new Request(ORIGIN + path)
  const routeData = app.match(request)
  if (!routeData) return
  const locals = { api: sampleApi, provider: 'none', officeUrl: null, isForeign: false } as const
  const response = await app.render(request, { locals: { ...locals }, routeData })
  return response.status === 200 ? response.text() : undefined
}
