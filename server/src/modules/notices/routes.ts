import type { Endpoint } from '../../platform/http/api.ts'
import { listNotices, readNotices } from './list-notices.ts'
import { getNoticeSettings, updateNoticeSettings } from './notice-settings.ts'

/** The calls of this module. */
export const noticeEndpoints: readonly Endpoint[] = [listNotices, readNotices, getNoticeSettings, updateNoticeSettings]
