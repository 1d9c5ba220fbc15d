import type { ReviewPage } from '../../../contract/office-review.ts'
import { fillText } from '../../../i18n/format.ts'
import { listed } from '../../../i18n/listed.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { StateMark } from '../parts/cells.tsx'

/** The results of the automatic checks. */
export function Checks({ review: { document, sameFile } }: { review: ReviewPage }) {
  const locale = useLocale()
  const texts = useTexts('office-review:page')
  const fields = useTexts('office-documents:fields')
  const missing = listed(
    locale,
    document.missing.map(({ field }) => fields[field]),
  )
  return (
    <section className="stack">
      <h3>{texts.checks}</h3>
      <ul className="review__checks">
        {document.fileType !== null && (
          <li>
            <StateMark kind="good" text={texts.file} />
          </li>
        )}
        <li>
          <StateMark
            kind={missing ? 'bad' : 'good'}
            text={missing ? fillText(texts.missing, { fields: missing }) : texts.complete}
          />
        </li>
        {sameFile.map(({ id, title, teacher }) => (
          <li key={id}>
            <a href={`${pathIn(locale, '/office/review-document')}?id=${id}`}>
              <StateMark
                kind="bad"
                text={fillText(texts.same, {
                  title: `\u2068${title}\u2069`,
                  teacher: `\u2068${teacher}\u2069`,
                })}
              />
            </a>
          </li>
        ))}
        {sameFile.length === 0 && document.fileType !== null && (
          <li>
            <StateMark kind="good" text={texts.alone} />
          </li>
        )}
      </ul>
    </section>
  )
}
