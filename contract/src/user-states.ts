/** The states of an account, as administrators see them. Without schemas, because the web uses it too. */
export const userStates = ['active', 'unconfirmed', 'suspended', 'deletion'] as const
export type UserState = (typeof userStates)[number]

/** What administrators can sort users by. */
export const userSorts = ['email', 'usedBytes', 'createdAt', 'lastSeenAt'] as const
export type UserSort = (typeof userSorts)[number]
