import type { Listed, ListedClass } from '../../../contract/references.ts'
import { DETAILS, ruleOf } from '../../../rules/document-fields.ts'
import { AUDIENCES, LEVELS } from '../../../rules/price-bands.ts'
import type { References } from '../../../stores/office/documents/own.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import type { FieldOf } from './field-of.ts'
import { useNames } from './names.ts'

const NUMERIC = { inputMode: 'numeric', dir: 'ltr' } as const

/** The entries that can be chosen: those not retired, and the document's current entry. */
function choosable<Entry extends Listed>(entries: readonly Entry[], own: string | undefined) {
  return entries.filter(({ id, retired }) => !retired || String(id) === own)
}

/** The fields for the title, the description, the subject, class, category, audience and details. */
export function TextFields({ fieldOf, references }: { fieldOf: FieldOf; references: References }) {
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const names = useNames()
  const levels = useTexts('catalogue:levels')
  const choose = { value: '', text: texts.choose }
  const { classes, matieres, categories } = references
  const optionsOf = (entries: readonly ListedClass[] = []) =>
    entries.map((each) => ({ value: String(each.id), text: names.schoolClass(each) }))
  const offeredClasses = choosable(classes, fieldOf('niveauId').defaultValue)
  const byLevel = Map.groupBy(offeredClasses, ({ level }) => level ?? null)
  const classOptions = [
    // Ordered from the youngest pupils to the oldest.
    ...LEVELS.toReversed().flatMap((level) => {
      const options = optionsOf(byLevel.get(level))
      return options.length > 0 ? [{ heading: levels[level].name, options }] : []
    }),
    ...optionsOf(byLevel.get(null)),
  ]
  return (
    <section className="stack">
      <h2>{texts.about}</h2>
      <Field label={fields.title} dir="auto" autoComplete="off" {...fieldOf('title')} />
      <TextField label={fields.description} {...fieldOf('description')} />
      <div className="editor__row">
        <SelectField
          label={fields.matiere}
          options={[
            choose,
            ...choosable(matieres, fieldOf('matiereId').defaultValue).map((each) => ({
              value: String(each.id),
              text: names.matiere(each),
            })),
          ]}
          {...fieldOf('matiereId')}
        />
        <SelectField
          label={fields.classe}
          options={[choose, ...classOptions]}
          {...fieldOf('niveauId')}
        />
        <SelectField
          label={fields.categorie}
          options={[
            choose,
            ...choosable(categories, fieldOf('categoryId').defaultValue).map((each) => ({
              value: String(each.id),
              text: names.category(each),
            })),
          ]}
          {...fieldOf('categoryId')}
        />
        <SelectField
          label={fields.type}
          options={[choose, ...AUDIENCES.map((value) => ({ value, text: names.audience(value) }))]}
          {...fieldOf('type')}
        />
        {DETAILS.map((name) => (
          <Field
            key={name}
            label={fields[name]}
            autoComplete="off"
            {...(ruleOf(name).kind === 'number' ? NUMERIC : { dir: 'auto' })}
            {...fieldOf(name)}
          />
        ))}
      </div>
    </section>
  )
}
