import type { Endpoint } from '../../platform/http/api.ts'
import { addFavorite, favoriteItems, listFavorites, removeFavorite } from './favorites.ts'

/** The calls of this module. */
export const favoriteEndpoints: readonly Endpoint[] = [listFavorites, addFavorite, removeFavorite, favoriteItems]
