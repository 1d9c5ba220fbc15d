/** Says what was done, aloud as well; nothing where `text` is ''. */
export function Done({ text }: { text: string }) {
  return (
    <p className={text ? 'alert alert--success' : 'visually-hidden'} role="status">
      {text}
    </p>
  )
}
