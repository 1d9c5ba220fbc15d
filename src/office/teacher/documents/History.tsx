import type { DocumentEvent } from '../../../contract/own-document.ts'
import { fillText } from '../../../i18n/format.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import type { VersionState } from '../../../rules/document-life.ts'
import { eventText } from '../../documents/documents.tsx'
import { Moment, StateMark } from '../../kit/tables/cells.tsx'
import type { Own } from './own.ts'
import { FileLink } from './uploads.tsx'

const KINDS = {
  draft: 'off',
  submitted: 'waiting',
  returned: 'bad',
  accepted: 'good',
  replaced: 'off',
  withdrawn: 'off',
} as const satisfies Record<VersionState, string>

export function History({ own: { document, versions, history } }: { own: Own }) {
  const texts = useTexts('office-documents:history')
  return (
    <>
      {versions.length > 0 && (
        <section className="stack">
          <h2>{texts.versions}</h2>
          <ol className="life">
            {versions.map((version) => (
              <li key={version.number} className="life__line">
                <p className="cluster">
                  <strong>{fillText(texts.version, { number: version.number })}</strong>
                  <StateMark kind={KINDS[version.state]} text={texts.states[version.state]} />
                  <Moment at={version.createdAt} withTime />
                </p>
                {version.size !== null && (
                  <p>
                    <FileLink documentId={document.id} version={version.number}>
                      {fillText(texts.look, { number: version.number })}
                    </FileLink>
                  </p>
                )}
                {version.note && <p dir="auto">{version.note}</p>}
                {version.reason && (
                  <p className="soft as-written" dir="auto">
                    {version.reason}
                  </p>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      <details className="life-box">
        <summary className="row strong touch">{texts.title}</summary>
        <ol className="life">
          {history.map((event) => (
            <li key={`${event.at} ${event.action}`} className="life__line">
              <Event event={event} />
            </li>
          ))}
        </ol>
      </details>
    </>
  )
}

function Event({ event }: { event: DocumentEvent }) {
  const texts = useTexts('office-documents:history')
  const fields = useTexts('office-documents:fields')
  const { at, action, by, reason, field } = event
  const words = useTexts('office-documents:amounts')
  const locale = useLocale()
  return (
    <>
      <p className="cluster">
        <Moment at={at} withTime />
        <span>
          {eventText(locale, { ...words, text: texts.events[by][action] }, event)}
          {field && ` (${fields[field]})`}
        </span>
      </p>
      {reason && (
        <p className="soft as-written" dir="auto">
          {reason}
        </p>
      )}
    </>
  )
}
