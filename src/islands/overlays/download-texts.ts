import type { Locale } from '../../i18n/locales.ts'
import type { DownloadTexts } from '../parts/DownloadControl.tsx'

// Few visitors download from a page of the catalogue: for all others nothing of it is loaded.
const texts = import.meta.glob<{ states: DownloadTexts }>('../../../locales/*/downloads.json', {
  import: 'default',
})

/** The texts of downloads. */
export async function loadDownloadTexts(locale: Locale): Promise<DownloadTexts> {
  const read = await texts[`../../../locales/${locale}/downloads.json`]?.()
  if (!read) throw new Error(`no texts in ${locale}`)
  return read.states
}
