import { fillText } from '../../i18n/format.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { goToPage } from '../../stores/reader/view.ts'
import { Panel } from './Panel.tsx'
import { useTexts } from './texts.ts'

interface Props {
  reading: Reading
  onClose: () => void
}

/** Deeper entries are not indented any further. */
const DEEPEST = 3

/** The table of contents of the document's file. */
export function ContentsPanel({ reading, onClose }: Props) {
  const texts = useTexts('reader:contents')
  const { outline, sizes } = reading
  return (
    <Panel title={texts.title} onClose={onClose}>
      <ul className="reader__list">
        {outline.map(({ title, page, depth }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries never change places
          <li key={at} data-depth={Math.min(depth, DEEPEST)}>
            <button type="button" onClick={() => goToPage(page, sizes.length)}>
              <span dir="auto">{title}</span>
              <span className="soft small">{fillText(texts.page, { page })}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
