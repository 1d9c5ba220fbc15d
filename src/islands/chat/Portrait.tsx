import '../../parts/avatar.css'
/** The initials of a name on a disc; decorative, since the name is beside it. */
export function Portrait({ name }: { name: string }) {
  const [first = '', second = ''] = name
    .trim()
    .split(/[\s._·-]+/)
    .map((word) => [...word][0] ?? '')
  // Adjacent Arabic initials would join into a word.
  const initials = /[\u0600-\u06ff]/.test(first + second)
    ? `${first}\u200c ${second}`
    : `${first}${second}`.toLocaleUpperCase('fr')
  return (
    <span className="avatar chat__avatar" aria-hidden="true">
      <bdi>{initials}</bdi>
    </span>
  )
}
