import './conflict.css'

/** A field with two different values, both as readable text. */
export interface Difference {
  label: string
  mine: string
  theirs: string
}

interface Props {
  texts: Record<'title' | 'text' | 'mine' | 'theirs' | 'keep' | 'take', string>
  differences: readonly Difference[]
  onKeep: () => void
  onTake: () => void
}

/**
 * Shows the unsaved values of this tab beside those that another tab or device has saved. Nothing
 * is saved until the user chooses between them.
 */
export function ConflictChoice({ texts, differences, onKeep, onTake }: Props) {
  return (
    <section className="alert alert--error conflict" role="alert">
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      <dl className="conflict__fields">
        {differences.map((difference) => (
          <div key={difference.label}>
            <dt>{difference.label}</dt>
            {(['mine', 'theirs'] as const).map((whose) => (
              <dd key={whose}>
                <span className="soft small">{texts[whose]}</span>
                <span className="conflict__text" dir="auto">
                  {difference[whose] || '–'}
                </span>
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <div className="cluster">
        <button type="button" className="button button--primary" onClick={onKeep}>
          {texts.keep}
        </button>
        <button type="button" className="button" onClick={onTake}>
          {texts.take}
        </button>
      </div>
    </section>
  )
}
