import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pathIn } from '../../../i18n/paths.ts'
import { $own, loadOwn } from '../../../stores/office/documents/own.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { islandTexts, useLocale } from '../../parts/island.tsx'
import { ErrorState, LoadState } from '../../parts/States.tsx'
import { DocumentEditor } from './DocumentEditor.tsx'

const { island, useTexts } = islandTexts(
  'office-documents:form',
  'office-documents:states',
  'office-documents:acts',
  'office-documents:fields',
  'office-documents:details',
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
  'errors:codes',
  'office-errors:codes',
)

const FORM = ['line', 'button', 'line', 'button', 'line', 'button'] as const

/** The editor of the document whose id is in the URL. */
function Edit() {
  const locale = useLocale()
  const texts = useTexts('office-documents:form')
  const own = useStore($own, { ssr: notLoaded })
  useEffect(() => void loadOwn(), [])
  if (own.phase === 'failed' && own.problem.code === 'document_not_found') {
    return (
      <ErrorState title={texts.notFound.title} text={texts.notFound.text}>
        <a className="button button--primary" href={pathIn(locale, '/office/documents')}>
          {texts.notFound.list}
        </a>
      </ErrorState>
    )
  }
  return (
    <LoadState
      state={own}
      loading={{ text: texts.loading, shapes: FORM }}
      failed={texts.failed}
      onRetry={loadOwn}
    >
      {(value) => (
        <DocumentEditor
          own={value}
          onDeleted={() => location.replace(pathIn(locale, '/office/documents'))}
        />
      )}
    </LoadState>
  )
}

export default island(Edit)
