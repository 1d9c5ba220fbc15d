import '../../parts/avatar.css'
import './crew.css'
import type { SitePage } from '../../contract/site.ts'
import { type Locale, langOf } from '../../i18n/locales.ts'
import { teacherInitials } from '../../i18n/teacher-words.ts'
import { plainText } from '../../parts/plain-text.ts'

export function People({ people, locale }: { people: SitePage['items']; locale: Locale }) {
  return (
    <ul className="crew">
      {people.map(({ title, note, blocks, locale: own }, at) => {
        const [firstName = '', ...rest] = title.split(/\s+/)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is always rendered as a whole
          <li className="crew__one" key={at} {...langOf(own, locale)}>
            <span className="avatar" aria-hidden="true">
              <bdi>{teacherInitials(own, { firstName, lastName: rest.join(' ') })}</bdi>
            </span>
            <div>
              <h2 className="crew__name">
                <bdi>{title}</bdi>
              </h2>
              <p className="soft small">{note}</p>
              <p className="crew__text">{plainText(blocks)}</p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
