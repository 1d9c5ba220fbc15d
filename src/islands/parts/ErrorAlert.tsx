/** Says what went wrong; screen readers announce it as soon as it appears. */
export function ErrorAlert({ text }: { text: string }) {
  return (
    <p className="alert alert--error" role="alert">
      {text}
    </p>
  )
}
