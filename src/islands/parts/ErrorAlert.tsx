/** What went wrong, read aloud as soon as it shows. */
export function ErrorAlert({ text }: { text: string }) {
  return (
    <p className="alert alert--error" role="alert">
      {text}
    </p>
  )
}
