import '../parts/choices.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $kept, $spaceLeft, dropDocument, type Kept } from '../../stores/offline/kept.ts'
import { $session } from '../../stores/session/session.ts'
import { isOwnPhone, setOwnPhone } from '../../stores/user-data/phone.ts'
import { useLocale } from '../parts/island.tsx'
import { KeepButton } from '../parts/KeepButton.tsx'
import { useTexts } from './texts.ts'

/** The remaining space is shown when it is below this many bytes. */
const SCARCE_BYTES = 2 ** 30

const NOTHING: ReadonlyMap<number, Kept> = new Map()
const nothing = () => NOTHING
const unknown = () => null

/** The documents kept on this device and the space they take; renders nothing if there are none. */
export function KeptDocuments() {
  const locale = useLocale()
  const texts = useTexts('offline:list')
  const kept = [...useStore($kept, { ssr: nothing }).values()]
  const left = useStore($spaceLeft, { ssr: unknown })
  const userId = useStore($session, { ssr: unknown })?.userId
  if (kept.length === 0) return null
  const bytes = kept.reduce((sum, document) => sum + document.bytes, 0)
  const sized = (text: string, size: number) =>
    fillText(text, { size: `\u2068${formatSize(locale, size)}\u2069` })
  return (
    <section className="panel stack kept" aria-labelledby="kept-documents">
      <h2 id="kept-documents">{texts.title}</h2>
      <ul className="kept__list">
        {kept.map(({ documentId, title }) => (
          <li key={documentId}>
            <a className="along" dir="auto" href={pathIn(locale, `/read/${documentId}`)}>
              {title}
            </a>
            <KeepButton documentId={documentId} title={title} />
          </li>
        ))}
      </ul>
      <p className="cluster small soft">
        <span>{sized(texts.total, bytes)}</span>
        {left !== null && left < SCARCE_BYTES && <span>{sized(texts.free, left)}</span>}
        <button type="button" className="button" onClick={() => removeAll(kept)}>
          {texts.removeAll}
        </button>
      </p>
      {userId !== undefined && <OwnPhone key={userId} userId={userId} />}
    </section>
  )
}

async function removeAll(kept: readonly Kept[]): Promise<void> {
  for (const { documentId } of kept) await dropDocument(documentId)
}

/** The setting that keeps these documents after the session has ended. */
function OwnPhone({ userId }: { userId: number }) {
  const texts = useTexts('offline:list')
  const [isOwn, setOwn] = useState(() => isOwnPhone(userId))
  return (
    <label className="choice-card">
      <input
        type="checkbox"
        checked={isOwn}
        onChange={({ currentTarget }) => {
          setOwn(currentTarget.checked)
          setOwnPhone(userId, currentTarget.checked)
        }}
      />
      <span>
        {texts.mine}
        <span className="small soft kept__hint">{texts.mineHint}</span>
      </span>
    </label>
  )
}
