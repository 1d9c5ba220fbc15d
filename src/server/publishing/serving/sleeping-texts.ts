import { LRUCache } from 'lru-cache'
import { isLocale, type Locale } from '../../../i18n/locales.ts'
import { SLEEPING_ADDRESS, type SleepingTexts } from '../../../i18n/sleeping-texts.ts'
import { type OwnWords, textsAsleep } from '../../../i18n/translate.ts'
import { compressBrotli, compressGzip } from '../answers/compression.ts'
import { Representation } from '../answers/representation.ts'
import type { StaticFiles } from './static-files.ts'

interface Options {
  /** The texts of the interface that administrators wrote. */
  words: () => Promise<OwnWords>
  takesCards: boolean
  /** Headers sent with each file, besides its own. */
  headers?: Readonly<Record<string, string>>
}

/** The address contains a hash of the texts. */
const KEPT = 'public, max-age=31536000, immutable'

/** Versions of texts that are ready in memory; each takes some 20 KB. */
const READY = 30

/**
 * Serves the texts of sleeping islands, one file for each language. Pages that were rendered with
 * earlier texts, or by another process, may name an unknown file: they get the current texts, which
 * caches must not keep.
 */
export function sleepingTextFiles({ words, takesCards, headers = {} }: Options): StaticFiles {
  const ready = new LRUCache<string, Representation>({ max: READY })

  function represent({ hash, body }: SleepingTexts, caching: string): Representation {
    const bytes = Buffer.from(body)
    return new Representation({
      hash,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': caching,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        ...headers,
      },
      bodies: { identity: bytes },
      make: {
        encodings: ['br', 'gzip'],
        body: (form) => (form === 'br' ? compressBrotli(bytes, 11) : compressGzip(bytes, 9)),
      },
    })
  }

  function readyAs(name: string, texts: SleepingTexts, caching: string): Representation {
    const file = ready.get(name) ?? represent(texts, caching)
    ready.set(name, file)
    return file
  }

  async function find(address: string, locale: Locale): Promise<Representation> {
    const now = textsAsleep(locale, takesCards, await words())
    const shipped = textsAsleep(locale, takesCards)
    const named = [now, shipped].find(({ src }) => src === address)
    if (named) return readyAs(address, named, KEPT)
    return readyAs(`instead ${now.src}`, now, 'no-store')
  }

  return (req, res) => {
    const address = req.url ?? ''
    const [, locale] = SLEEPING_ADDRESS.exec(address) ?? []
    if (!isLocale(locale) || (req.method !== 'GET' && req.method !== 'HEAD')) return false
    const file = ready.get(address)
    return file ? file.send(req, res) : find(address, locale).then((found) => found.send(req, res))
  }
}
