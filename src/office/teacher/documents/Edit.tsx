import { useStore } from '@nanostores/react'
import { ButtonLink } from '../../../islands/parts/Button.tsx'
import { notLoaded } from '../../../stores/shared/loader.ts'
import './editor.css'
import { useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { ErrorState } from '../../../islands/parts/States.tsx'
import type { DocumentAct } from '../../../rules/document-life.ts'
import { DocumentStateMark } from '../../documents/DocumentStateMark.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { Moment } from '../../kit/tables/cells.tsx'
import { useAction } from '../../kit/use-action.tsx'
import type { ActDialog } from './ActDialog.tsx'
import { Acts } from './Acts.tsx'
import { DocumentForm, LaterHistory, LaterPreview, useLaterTexts } from './DocumentForm.tsx'
import type { ReportTexts } from './OwnReports.tsx'
import { type Own, ownDocument, showChanged } from './own.ts'
import { valuesOf } from './text.ts'

const { island, useTexts } = officeTexts(
  'office-documents:form',
  'office-documents:needs',
  'office-documents:states',
  'office-documents:acts',
  'office-documents:fields',
  'office-documents:details',
  'office-documents:hints',
  'office-documents:preview',
  'office-documents:history',
  'office-documents:amounts',
  'office:confirm',
  'office:form',
  'office:upload',
  'common:price',
  'common:card',
  'common:rating',
  'catalogue:levels',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:categories',
  'catalogue:types',
)

const FORM = ['line', 'button', 'line', 'button', 'line', 'button'] as const

function Edit() {
  const locale = useLocale()
  const texts = useTexts('office-documents:form')
  const own = useStore(ownDocument.$state, { ssr: notLoaded })
  if (own.phase === 'failed' && own.problem.code === 'document_not_found') {
    return (
      <ErrorState title={texts.notFound.title} text={texts.notFound.text}>
        <ButtonLink kind="primary" to="/office/documents">
          {texts.notFound.list}
        </ButtonLink>
      </ErrorState>
    )
  }
  return (
    <LoadedStore from={ownDocument} texts={texts} shapes={FORM}>
      {(value) => (
        <DocumentEditor
          own={value}
          onDeleted={() => location.replace(pathIn(locale, '/office/documents'))}
        />
      )}
    </LoadedStore>
  )
}

function DocumentEditor({ own, onDeleted }: { own: Own; onDeleted: () => void }) {
  const { document } = own
  const texts = useTexts('office-documents:form')
  const [act, setAct] = useState<{ what: DocumentAct; Dialog: typeof ActDialog } | null>(null)
  const { alert, attempt } = useAction()
  const askAbout = (what: DocumentAct) =>
    attempt(async () => setAct({ what, Dialog: (await import('./ActDialog.tsx')).ActDialog }))
  const showResult = (changed: OwnDocument | null) => {
    if (changed) void showChanged(changed)
    else onDeleted()
  }
  return (
    <div className="editor stack gap-8">
      <Standing own={own} />
      {document.isReported && <LaterReports id={document.id} />}
      {document.state === 'submitted' ? (
        <div className="editor__parts beside gap-10">
          <div className="stack">
            <p className="alert">{texts.underReview}</p>
            <Acts document={document} onAct={askAbout} />
          </div>
          <LaterPreview own={own} values={valuesOf(document, '.')} />
        </div>
      ) : (
        <DocumentForm own={own} onAct={askAbout} />
      )}
      <LaterHistory own={own} />
      {alert}
      {act && (
        <act.Dialog
          document={document}
          what={act.what}
          onDone={showResult}
          onClose={() => setAct(null)}
        />
      )}
    </div>
  )
}

// Few documents are reported, so neither the reports nor their texts are loaded for the others.
const reportTexts = import.meta.glob<ReportTexts>('../../../../locales/*/office-reports.json', {
  import: 'default',
})

function LaterReports({ id }: { id: number }) {
  const locale = useLocale()
  const load = async () => {
    const [{ OwnReports }, texts] = await Promise.all([
      import('./OwnReports.tsx'),
      reportTexts[`../../../../locales/${locale}/office-reports.json`]?.(),
    ])
    if (!texts) throw new Error(`no texts in ${locale}`)
    return (props: { id: number }) => <OwnReports {...props} texts={texts} />
  }
  return <Later load={load} give={{ id }} {...useLaterTexts()} />
}

export default island(Edit)

function Standing({ own: { document, waiting, paper } }: { own: Own }) {
  const locale = useLocale()
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const { state, returned, waitingVersion, isTakenDown } = document
  const meaning = state === 'unpublished' && isTakenDown ? texts.takenDown : texts.meaning[state]
  return (
    <section className="standing stack gap-3">
      <p className="standing__state cluster items-stretch gap-4 lines-1">
        <DocumentStateMark state={state} />
        <span className="soft">{meaning}</span>
      </p>
      {waiting > 0 && <p className="soft">{pluralText(locale, texts.wanted, 'wanted', waiting)}</p>}
      {state === 'published' && (
        <p className="cluster">
          <a
            className="touch"
            href={`${pathIn(locale, '/office/bundles')}?document=${document.id}${paper?.isOwn ? `&with=${paper.id}` : ''}`}
          >
            {paper?.isOwn ? texts.sellBoth : texts.sellTogether}
          </a>
        </p>
      )}
      {waitingVersion !== null && <p className="alert">{texts.waitingVersion}</p>}
      {returned && (
        <div className="alert alert--error">
          <p>
            <strong>{texts.returned}</strong> <Moment at={returned.at} />
            {returned.field && ` · ${fields[returned.field]}`}
          </p>
          <p className="standing__reason as-written" dir="auto">
            {returned.reason}
          </p>
        </div>
      )}
    </section>
  )
}
