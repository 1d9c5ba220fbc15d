import './tabs.css'

interface Props<Value extends string> {
  /** What the tabs choose, for screen readers. */
  label: string
  tabs: readonly { value: Value; text: string; count?: number }[]
  chosen: Value
  onChoose: (value: Value) => void
}

/** Chooses one of several views of a page. */
export function Tabs<Value extends string>({ label, tabs, chosen, onChoose }: Props<Value>) {
  return (
    <fieldset className="tabs">
      <legend className="visually-hidden">{label}</legend>
      {tabs.map(({ value, text, count }) => (
        <button
          type="button"
          key={value}
          className="tabs__one"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {text} {count !== undefined && <span className="tabs__count">{count}</span>}
        </button>
      ))}
    </fieldset>
  )
}
