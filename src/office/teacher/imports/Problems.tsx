import type { Import, ImportNote, ImportProblem } from '../../../contract/office-imports.ts'
import { fillText, isolate, limitText, pluralText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { DOCUMENT_PRICE_MAX, DOCUMENT_PRICE_MIN } from '../../../rules/document-fields.ts'
import { TYPED_PAGES } from '../../../rules/reading.ts'
import { useTexts } from './texts.ts'

export function Problems({ last }: { last: Import }) {
  const locale = useLocale()
  const texts = useTexts('office-import:refused')
  const { problems, problemCount } = last
  return (
    <section className="stack">
      <h2>{pluralText(locale, texts, 'title', problemCount)}</h2>
      <p>{texts.text}</p>
      {problems.length < problemCount && (
        <p className="soft">{fillText(texts.first, { count: problems.length })}</p>
      )}
      <table className="import__problems">
        <thead>
          <tr>
            <th scope="col">{texts.row}</th>
            <th scope="col">{texts.column}</th>
            <th scope="col">{texts.what}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map((problem, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <tr key={at}>
              <td>{problem.row ?? texts.list}</td>
              <td>{problem.column && <code dir="ltr">{breakable(problem.column)}</code>}</td>
              <td>
                <Sentence problem={problem} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Notes last={last} />
    </section>
  )
}

export function Notes({ last: { notes } }: { last: Import }) {
  const texts = useTexts('office-import:notes')
  const { row, column } = useTexts('office-import:refused')
  if (notes.length === 0) return null
  const placeOf = (note: ImportNote) =>
    [note.row && `${row} ${note.row}`, note.column && `${column} ${note.column}`].filter(Boolean)
  return (
    <section className="alert stack" aria-label={texts.title}>
      <strong>{texts.title}</strong>
      <ul>
        {notes.map((note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={at}>
            {note.row !== null && `${placeOf(note).join(', ')} – `}
            {fillText(texts[note.code], { detail: isolate(note.detail) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The name of a column, with a possible line break after each word. */
const breakable = (name: string): string => name.replaceAll('_', '_\u200b')

export function Sentence({ problem: { code, detail } }: { problem: ImportProblem }) {
  const locale = useLocale()
  const texts = useTexts('office-import:problems')
  const files: Readonly<Record<string, string>> = useTexts('office-errors:codes')
  if (code === 'bad_file') return files[detail] ?? detail
  return fillText(texts[code], {
    detail: isolate(detail),
    pages: `\u2066${TYPED_PAGES}\u2069`,
    min: isolate(limitText(locale, DOCUMENT_PRICE_MIN)),
    max: isolate(limitText(locale, DOCUMENT_PRICE_MAX)),
  })
}
