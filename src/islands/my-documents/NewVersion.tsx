import './new-version.css'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
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

/**
 * What changed in a document since its owner got it, and the earlier version while it is offered.
 */
export function NewVersion({ document }: Props) {
  const locale = useLocale()
  const texts = useTexts('versions:library')
  const { newVersion, earlierVersion } = document
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
  document: { documentId, documentTitle, fileType },
  earlier: { number, until },
}: Props & { earlier: NonNullable<PurchasedDocument['earlierVersion']> }) {
  const locale = useLocale()
  const texts = useTexts('versions:library')
  const title = fillText(texts.fileName, { title: documentTitle, number })
  return (
    <>
      <DownloadButton
        document={{ documentId, version: number, title, fileType }}
        place="library"
        label={texts.earlier}
      />
      <p className="soft">{fillText(texts.until, { date: formatDate(locale, until) })}</p>
    </>
  )
}
