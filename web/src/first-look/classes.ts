import navigation from '../app/layout/NavigationList.module.css'
import card from '../features/files/StorageCard.module.css'
import grid from '../items/grid/ItemGrid.module.css'
import thumbnail from '../items/tiles/Thumbnail.module.css'
import shape from '../items/tiles/tile-shape.module.css'

/** How the style sheet names what `first-look.ts` finds and makes; the page tells it. */
export const classes = {
  email: navigation.email ?? '',
  plan: navigation.plan ?? '',
  storage: card.card ?? '',
  percent: card.percent ?? '',
  storageText: card.text ?? '',
  track: card.track ?? '',
  bar: card.bar ?? '',
  row: grid.row ?? '',
  heading: grid.heading ?? '',
  name: shape.name ?? '',
  meta: shape.meta ?? '',
  thumbnail: thumbnail.thumbnail ?? '',
  picture: thumbnail.picture ?? '',
}

export type Classes = typeof classes
