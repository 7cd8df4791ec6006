/** How long a deleted workflow can be restored. Not imported from the contract, whose schemas would come with it. */
export const TRASH_DAYS = 30;
