import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../../../i18n/locales.ts'
import { splitPath } from '../../../i18n/paths.ts'
import {
  compressZstd,
  type Dictionaries,
  type Dictionary,
  dictionaryOf,
  type Offer,
} from '../answers/dictionary.ts'
import { Representation } from '../answers/representation.ts'
import { type Build, otherBuilds } from '../build/builds.ts'
import type { StaticFiles } from './static-files.ts'

/** Its name contains its hash. */
const KEPT = 'public, max-age=31536000, immutable'

/**
 * Serves the dictionaries of a build, one for each language. Those of earlier builds are known as
 * well, as long as these builds exist: a client with one of them gets small answers too, and the
 * new dictionary as a difference. Any other dictionary is ignored. `headers` are sent with each.
 */
export function openDictionaries(
  build: Build,
  headers: Readonly<Record<string, string>> = {},
): Dictionaries & { files: StaticFiles } {
  const current = read(build)
  const known = new Map<string, Dictionary>()
  for (const each of [...otherBuilds(build).flatMap((other) => [...read(other).values()])]) {
    known.set(each.token, each)
  }
  for (const each of current.values()) known.set(each.token, each)
  const find = (token: string) => known.get(token)

  const files = new Map<string, Representation>()
  const offers = new Map<Locale, Offer>()
  for (const [locale, dictionary] of current) {
    const { bytes, brotli } = dictionary
    const representation = new Representation({
      hash: dictionary.id,
      headers: {
        'content-type': 'application/octet-stream',
        'cache-control': KEPT,
        'use-as-dictionary': `match="${matchOf(locale)}"`,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        ...headers,
      },
      bodies: { identity: bytes, br: brotli },
      // An older dictionary contains most of the new one: the rest takes a few hundred bytes.
      make: {
        encodings: [],
        body: (form) => compressZstd(bytes, typeof form === 'string' ? undefined : form, 19),
      },
      find,
    })
    const address = `/_dictionary/${locale}-${dictionary.id}`
    files.set(address, representation)
    offers.set(locale, { dictionary, link: `<${address}>; rel="compression-dictionary"` })
  }

  return {
    find,
    offer: (path) => offers.get(splitPath(path).locale),
    files(req, res) {
      const file = files.get(req.url ?? '')
      return file && (req.method === 'GET' || req.method === 'HEAD') ? file.send(req, res) : false
    },
  }
}

/** The addresses that a dictionary is for; of several that match, the longest applies. */
function matchOf(locale: Locale): string {
  return locale === DEFAULT_LOCALE ? '/*' : `/${locale}{/*}?`
}

/** The dictionaries of a build, by language; none if the build has none. */
function read({ dictionaryDirectory }: Build): Map<Locale, Dictionary & { brotli: Buffer }> {
  const found = new Map<Locale, Dictionary & { brotli: Buffer }>()
  for (const locale of LOCALES) {
    const file = join(dictionaryDirectory, `${locale}.dict`)
    if (!existsSync(file)) continue
    found.set(locale, { ...dictionaryOf(readFileSync(file)), brotli: readFileSync(`${file}.br`) })
  }
  return found
}
