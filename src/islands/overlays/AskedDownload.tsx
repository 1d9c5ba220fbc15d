import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Locale } from '../../i18n/locales.ts'
import { $askedDownload } from '../../stores/purchase/shopping.ts'
import { announceProblem } from '../../stores/shared/notices.ts'
import type { DownloadState, DownloadTexts } from '../parts/DownloadNote.tsx'
import { useLocale } from '../parts/island.tsx'

// Few visitors download from a page of the catalogue, so nothing of it is loaded for the others.
const texts = import.meta.glob<{ states: DownloadTexts }>('../../../locales/*/downloads.json', {
  import: 'default',
})

async function loadParts(locale: Locale) {
  const [{ DownloadNote }, { download }, read] = await Promise.all([
    import('../parts/DownloadNote.tsx'),
    import('../../stores/library/downloads.ts'),
    texts[`../../../locales/${locale}/downloads.json`]?.(),
  ])
  if (!read) throw new Error(`no texts in ${locale}`)
  return { DownloadNote, download, texts: read.states }
}

type Parts = Awaited<ReturnType<typeof loadParts>>

const nothing = () => null

/** Does what a press on *download* at the controls of a document asks for, and says the result. */
export function AskedDownload() {
  const locale = useLocale()
  const asked = useStore($askedDownload, { ssr: nothing })
  const [parts, setParts] = useState<Parts | null>(null)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const [state, setState] = useState<DownloadState>(null)

  useEffect(() => {
    if (!asked) return
    const { item, control } = asked
    const below = document.createElement('div')
    below.className = 'download'
    let isLatest = true
    const begin = async () => {
      const loaded = await loadParts(locale)
      if (isLatest) {
        control.after(below)
        setParts(loaded)
        setPlace(below)
        setState({ phase: 'busy' })
      }
      const outcome = await loaded.download(item, 'details', locale)
      if (isLatest) setState(outcome)
    }
    control.ariaBusy = 'true'
    begin()
      .catch(() => announceProblem('download_failed'))
      .finally(() => {
        control.ariaBusy = null
      })
    return () => {
      isLatest = false
      below.remove()
    }
  }, [asked, locale])

  if (!asked || !parts || !place) return null
  const { documentId } = asked.item
  return createPortal(
    <parts.DownloadNote state={state} documentId={documentId} texts={parts.texts} />,
    place,
  )
}
