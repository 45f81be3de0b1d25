/** Whether a decision can be more than the variation of an A/B test's experiment, so that more has to be remembered. */

export const keepsRest = __PERSONALIZATION__ || __HOLDBACK__ || __AUDIENCES__ || __WEIGHTS__;
