import './new-version.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { fillText, formatDate } from '../../i18n/format.ts'
import { $downloads } from '../../stores/library/downloads.ts'
import { downloadEarlier } from '../../stores/library/earlier-version.ts'
import { type PurchasedDocument, refreshLibrary } from '../../stores/library/library.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

interface Props {
  document: PurchasedDocument
}

/** Says that a document has a version that its owner has not seen yet. */
export function NewVersionBadge({ document: { newVersion } }: Props) {
  const texts = useTexts('versions:library')
  return newVersion ? <span className="badge badge--new">{texts.new}</span> : null
}

/** What changed in a document since its owner had it, and its earlier version for as long as it is offered. */
export function NewVersion({ document }: Props) {
  const locale = useLocale()
  const texts = useTexts('versions:library')
  const { documentId, newVersion, earlierVersion } = document
  const download = useStore($downloads)[documentId]?.phase
  useEffect(() => {
    // Whoever has it knows of it.
    if (download === 'done' && newVersion) void refreshLibrary()
  }, [download, newVersion])
  if (!newVersion && !earlierVersion) return null
  return (
    <div className="new-version">
      {newVersion && (
        <p>
          <NewVersionBadge document={document} />{' '}
          <span className="soft">
            {fillText(texts.since, { date: formatDate(locale, newVersion.at) })}
          </span>
        </p>
      )}
      {newVersion && newVersion.changes !== '' && (
        <blockquote aria-label={texts.changes}>
          {newVersion.changes.split('\n').map((change) => (
            <p key={change} dir="auto">
              {change}
            </p>
          ))}
        </blockquote>
      )}
      {earlierVersion && <Earlier document={document} earlier={earlierVersion} />}
    </div>
  )
}

function Earlier({
  document: { documentId, documentTitle: title, fileType },
  earlier: { number, until },
}: Props & { earlier: NonNullable<PurchasedDocument['earlierVersion']> }) {
  const locale = useLocale()
  const texts = useTexts('versions:library')
  const errors = useErrorTexts()
  const [state, setState] = useState<'still' | 'busy' | Problem>('still')
  const download = async () => {
    if (state === 'busy') return
    setState('busy')
    const name = fillText(texts.fileName, { title, number })
    setState((await downloadEarlier({ documentId, fileType }, number, name)) ?? 'still')
  }
  return (
    <>
      <p>
        <button
          type="button"
          className="new-version__earlier"
          aria-busy={state === 'busy'}
          onClick={download}
        >
          {texts.earlier}
          <span className="visually-hidden" dir="auto">
            {' '}
            {title}
          </span>
        </button>{' '}
        <span className="soft">{fillText(texts.until, { date: formatDate(locale, until) })}</span>
      </p>
      {typeof state === 'object' && (
        <p className="field__error" role="alert">
          {problemText(state, errors)}
        </p>
      )}
    </>
  )
}
