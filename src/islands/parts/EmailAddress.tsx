/** An e-mail address, which on a phone takes two lines. */
export function EmailAddress({ email }: { email: string }) {
  const [name, host] = email.split('@')
  return (
    <bdi dir="ltr" className="along">
      {name}@<wbr />
      {host}
    </bdi>
  )
}
