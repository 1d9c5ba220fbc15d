import '../../parts/avatar.css'
import type { Locale } from '../../../i18n/locales.ts'
import { teacherInitials } from '../../../i18n/teacher-words.ts'
import { portraitPicture } from '../../../rules/pictures.ts'
import { useLocale } from '../../parts/island.tsx'

interface Props {
  profile: { firstName: string; lastName: string; latinName: string; picturePath: string | null }
  /** The language of the name; by default the page's. */
  locale?: Locale
}

/** A teacher's picture or initials, as `Avatar.astro` shows them. */
export function Portrait({ profile, locale }: Props) {
  const own = useLocale()
  const picture = portraitPicture(profile.picturePath)
  if (picture) {
    const { src, srcSet } = picture
    return <img className="avatar" src={src} srcSet={srcSet} sizes="80px" alt="" />
  }
  return (
    <span className="avatar" aria-hidden="true">
      <bdi>{teacherInitials(locale ?? own, profile)}</bdi>
    </span>
  )
}
