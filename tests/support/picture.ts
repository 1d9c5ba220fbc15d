import sharp from 'sharp'

/** A PNG with something to see on a ground of one colour; sizes in pixels. */
export function aPicture(color: string, width = 340, height = 440): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="${color}"/>
<circle cx="${width / 2}" cy="${height / 2}" r="${width / 4}" fill="#fff"/></svg>`
  return sharp(Buffer.from(drawing)).png().toBuffer()
}
