import { useEffect, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import { drafts } from '../../stores/session/drafts.ts'
import { announceProblem } from '../../stores/shared/notices.ts'
import { Button } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import type { ReportTexts } from './ReportDialog.tsx'

const { island, useTexts } = islandTexts('reports:link')

// Few visitors report, so neither the dialog nor its texts are loaded for the others.
const texts = import.meta.glob<ReportTexts>('../../../locales/*/report-dialog.json', {
  import: 'default',
})

async function loadDialog(locale: Locale) {
  const [{ ReportDialog }, read] = await Promise.all([
    import('./ReportDialog.tsx'),
    texts[`../../../locales/${locale}/report-dialog.json`]?.(),
  ])
  if (!read) throw new Error(`no texts in ${locale}`)
  return { ReportDialog, texts: read }
}

/** The quiet button that reports a document. */
function Report({ documentId }: { documentId: number }) {
  const locale = useLocale()
  const { open } = useTexts('reports:link')
  const [parts, setParts] = useState<Awaited<ReturnType<typeof loadDialog>> | null>(null)
  const load = () => loadDialog(locale).then(setParts, () => announceProblem('not_loaded'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after a log-in in between
  useEffect(() => {
    if (drafts.read('report')) void load()
  }, [])
  return (
    <>
      <Button kind="plain" className="soft" onClick={load}>
        {open}
      </Button>
      {parts && (
        <parts.ReportDialog
          documentId={documentId}
          texts={parts.texts}
          onClose={() => setParts(null)}
        />
      )}
    </>
  )
}

export default island(Report)
