/** The addresses at which WhatsApp and Telegram offer to send a text and a page. */
export function shareAddresses(text: string, url: string): { whatsApp: string; telegram: string } {
  const encoded = encodeURIComponent
  return {
    whatsApp: `https://wa.me/?text=${encoded(`${text}\n${url}`)}`,
    telegram: `https://t.me/share/url?url=${encoded(url)}&text=${encoded(text)}`,
  }
}
