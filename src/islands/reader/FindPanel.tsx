import { useStore } from '@nanostores/react'
import { type FormEvent, useId, useState } from 'react'
import { fillText, pluralText } from '../../i18n/format.ts'
import { FIND_TEXT_MAX_LENGTH } from '../../rules/find-in-text.ts'
import { $finding, type Find, findText } from '../../stores/reader/find.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { goToPage } from '../../stores/reader/view.ts'
import { useLocale } from '../parts/island.tsx'
import { Panel } from './Panel.tsx'
import { useTexts } from './texts.ts'

interface Props {
  reading: Reading
  onClose: () => void
}

/** Searches the document for a text, and goes to the matches. */
export function FindPanel({ reading, onClose }: Props) {
  const locale = useLocale()
  const texts = useTexts('reader:find')
  const { offline, busy, failed } = useTexts('reader:problems')
  const id = useId()
  const finding = useStore($finding)
  const [input, setInput] = useState(finding.phase === 'idle' ? '' : finding.text)
  const { documentId, sizes, hasText } = reading
  const find = (event: FormEvent) => {
    event.preventDefault()
    void findText(documentId, input)
  }
  // No button opens the panel then, but the keyboard shortcut does.
  if (!hasText) {
    return (
      <Panel title={texts.title} onClose={onClose}>
        <p>{texts.noText}</p>
      </Panel>
    )
  }
  return (
    <Panel title={texts.title} onClose={onClose}>
      <form className="reader__find" onSubmit={find}>
        <label htmlFor={id} className="visually-hidden">
          {texts.label}
        </label>
        <input
          id={id}
          type="search"
          dir="auto"
          enterKeyHint="search"
          maxLength={FIND_TEXT_MAX_LENGTH}
          value={input}
          placeholder={texts.label}
          onChange={({ currentTarget }) => setInput(currentTarget.value)}
        />
        <button type="submit" className="button button--primary">
          {texts.submit}
        </button>
      </form>
      <div role="status">
        {finding.phase === 'loading' && (
          <p>
            <span className="spinner" /> {texts.loading}
          </p>
        )}
        {finding.phase === 'failed' && (
          <p className="alert alert--error">
            {texts.failed}{' '}
            {finding.problem === 'offline'
              ? offline.title
              : finding.problem === 'busy'
                ? busy.text
                : failed.text}
          </p>
        )}
        {finding.phase === 'ready' && (
          <p className="soft">
            {finding.finds.length === 0
              ? fillText(texts.none, { text: `\u2068${finding.text}\u2069` })
              : pluralText(locale, texts, 'finds', finding.finds.length)}
          </p>
        )}
      </div>
      {finding.phase === 'ready' && (
        <ol className="reader__list">
          {finding.finds.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: finds never change places
            <li key={at}>
              <button type="button" onClick={() => goToPage(each.page, sizes.length)}>
                <Found find={each} />
              </button>
            </li>
          ))}
        </ol>
      )}
      {finding.phase === 'ready' && finding.hasMore && <p className="soft small">{texts.more}</p>}
    </Panel>
  )
}

function Found({ find: { page, before, match, after } }: { find: Find }) {
  const { page: label } = useTexts('reader:contents')
  return (
    <>
      <span dir="auto">
        {before}
        <mark>{match}</mark>
        {after}
      </span>
      <span className="soft small">{fillText(label, { page })}</span>
    </>
  )
}
