import { useSaid } from '../../../islands/parts/Message.tsx'
import { useActorName } from '../office-texts.ts'
import './save-state.css'
import { fillText, isolate } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { momentText } from '../dates.ts'

/** The title may name who has saved, `{{by}}`, and when, `{{at}}`. */
export type ConflictTexts = Record<'title' | 'text' | 'mine' | 'theirs' | 'keep' | 'take', string>

interface Props {
  texts: ConflictTexts
  /** The author of what was saved, and when (ISO 8601). */
  saved: { by?: string; at?: string }
  /** The fields with two different values, both as readable text. */
  differences: readonly { label: string; mine: string; theirs: string }[]
  onKeep: () => void
  onTake: () => void
}

/**
 * Shows the unsaved values of this tab beside those that another tab or device has saved. Nothing
 * is saved until the user chooses between them.
 */
export function ConflictChoice({ texts, saved, differences, onKeep, onTake }: Props) {
  const locale = useLocale()
  const { by = '', at } = saved
  const who = { by: isolate(useActorName()(by)), at: at ? momentText(locale, at) : '' }
  return (
    <section className="alert alert--error conflict stack" role="alert" ref={useSaid(undefined)}>
      <h2>{fillText(texts.title, who)}</h2>
      <p>{texts.text}</p>
      <dl className="conflict__fields">
        {differences.map((difference) => (
          <div key={difference.label}>
            <dt>{difference.label}</dt>
            {(['mine', 'theirs'] as const).map((whose) => (
              <dd key={whose}>
                <span className="soft small">{texts[whose]}</span>
                <span className="as-written" dir="auto">
                  {difference[whose] || '–'}
                </span>
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <div className="cluster">
        <Button kind="primary" onClick={onKeep}>
          {texts.keep}
        </Button>
        <Button onClick={onTake}>{texts.take}</Button>
      </div>
    </section>
  )
}
