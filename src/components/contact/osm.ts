/** The only other origin that a page of this site frames. */
export const MAP_ORIGIN = 'https://www.openstreetmap.org'

/** How far the framed map extends from our place, in degrees. */
const REACH = { longitude: 0.008, latitude: 0.004 }

/** Coordinates in degrees. */
interface Place {
  latitude: number
  longitude: number
}

export function framedMap({ latitude, longitude }: Place): string {
  const box = [
    longitude - REACH.longitude,
    latitude - REACH.latitude,
    longitude + REACH.longitude,
    latitude + REACH.latitude,
  ]
  const query = new URLSearchParams({
    bbox: box.map((side) => side.toFixed(5)).join(','),
    layer: 'mapnik',
    marker: `${latitude},${longitude}`,
  })
  return `${MAP_ORIGIN}/export/embed.html?${query}`
}

export function mapPage({ latitude, longitude }: Place): string {
  return `${MAP_ORIGIN}/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
}
