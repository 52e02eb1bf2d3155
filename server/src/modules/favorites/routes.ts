import type { Endpoint } from '../../platform/http/api.ts'
import { addFavorite, favoriteItems, removeFavorite } from './favorites.ts'
import { listFavorites } from './list-favorites.ts'

/** The calls of this module. */
export const favoriteEndpoints: readonly Endpoint[] = [listFavorites, addFavorite, removeFavorite, favoriteItems]
