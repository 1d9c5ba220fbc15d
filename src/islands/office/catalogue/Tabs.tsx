import './lists.css'

interface Props<Name extends string> {
  label: string
  names: readonly Name[]
  chosen: Name
  texts: Readonly<Record<Name, string>>
  onChoose: (name: Name) => void
}

/** The choice of the list that is shown. */
export function Tabs<Name extends string>({ label, names, chosen, texts, onChoose }: Props<Name>) {
  return (
    <fieldset className="lists__choice">
      <legend className="visually-hidden">{label}</legend>
      {names.map((each) => (
        <button
          key={each}
          type="button"
          className="button"
          aria-pressed={each === chosen}
          onClick={() => onChoose(each)}
        >
          {texts[each]}
        </button>
      ))}
    </fieldset>
  )
}
