/** Takes changes back. */

import { Array } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { guarded } from "../pageView/events";
import { ChangeField, ChangeKind } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { setAttribute } from "./appearance";
import { markedBy } from "./mark";
import { putBack } from "./move";
import { isArriving, isInserted, isTranslation, removeNodes, TEXT_NODE } from "./nodes";
import { noteOf, traceOn } from "./notes";
import { forgetRecord, recordOf } from "./records";
import type { Trace } from "./records";

/** Takes a change back wherever it is still in place, in the page or out of it. JavaScript of the member cannot be taken back. */
export const undoChange = (change: ChangeConfig): void => {
  const { traces_: traces, away_: away } = recordOf(change);
  [...traces, ...away.map((trace) => trace.deref())].forEach((trace) => {
    if (trace) {
      takeBack(trace);
      // An app may come and go by its routes, and keep the element.
      const note = noteOf(trace.element_);
      note.traces_ = note.traces_.filter((other) => other !== trace);
    }
  });
  if (__CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__) {
    removeNodes([...genuine(document, "querySelectorAll")(markedBy(change))]);
  }
  forgetRecord(change);
};

/** Takes back what a change did to an element, after the later changes that stand over it: the pass that follows makes those anew. */
export const takeBack = (trace: Trace): void => {
  const { holds_: holds, undo_: undo, overruledBy_: later } = trace;
  const over = __CHANGE_RIVALS__ && later && later.order_ > trace.record_.order_ && traceOn(trace.element_, later);
  if (over) {
    takeBack(over);
  }
  if (undo && (!holds || holds())) {
    guarded(undo);
  }
  trace.holds_ = trace.undo_ = trace.replaced_ = trace.overruledBy_ = undefined;
  trace.added_ = [];
};

/**
 * Notes an element's state before a change, and returns a function that restores it; `undoChange` asks first whether the change is still
 * there.
 */
export const undoOf = (change: ChangeConfig, element: Element, trace: Trace): (() => void) | undefined => {
  const kind = change[ChangeField.Kind];
  const name = String(change[ChangeField.Extra]);
  if ((__CHANGE_TEXT__ && kind === ChangeKind.Text) || (__CHANGE_HTML__ && kind === ChangeKind.Html)) {
    return () => {
      const content = contentBefore(trace, element);
      // A translation stands for a text of ours.
      const own = [...genuine(element, "childNodes")].filter((node) => trace.added_.includes(node) || isTranslation(node));
      if (own[0]) {
        genuine(own[0], "before")(...content);
      } else {
        genuine(element, "append")(...content);
      }
      removeNodes(own);
    };
  }
  if (__CHANGE_STYLE__ && kind === ChangeKind.Style) {
    const style = genuine(element as HTMLElement, "style");
    const before = longhands(name).map((each) => [each, style.getPropertyValue(each), style.getPropertyPriority(each)] as const);
    return () => {
      style.removeProperty(name);
      before.forEach((declaration) => style.setProperty(...declaration));
    };
  }
  if (__CHANGE_CLASS__ && kind === ChangeKind.Class) {
    const list = genuine(element, "classList");
    const added = String(change[ChangeField.Value]).split(/\s+/).filter((each) => each && !list.contains(each));
    return () => list.remove(...added);
  }
  if (__CHANGE_ATTRIBUTE__ && kind === ChangeKind.Attribute) {
    const value = genuine(element, "getAttribute")(name);
    return () => setAttribute(element, name, value);
  }
  if (__CHANGE_INSERT__ && kind === ChangeKind.Insert) {
    return () => removeNodes(trace.added_);
  }
  if (__CHANGE_CSS__ && kind === ChangeKind.Css) {
    return () => recordOf(change).removeStyleSheet_?.();
  }
  return __CHANGE_MOVE__ || __CHANGE_REMOVE__ ? () => putBack(change, trace) : undefined;
};

/**
 * Whether an app has set all of what a change had set, and not by adding to it: then that is what the element should be without the
 * change. Other kinds of changes ask the page when they are undone.
 */
export const isSetByApp = (change: ChangeConfig, element: Element): boolean => {
  const kind = change[ChangeField.Kind];
  const name = String(change[ChangeField.Extra]);
  return (
    (__CHANGE_ATTRIBUTE__ && kind === ChangeKind.Attribute && !String(genuine(element, "getAttribute")(name)).includes(String(change[ChangeField.Value]))) ||
    (__CHANGE_STYLE__ && kind === ChangeKind.Style && longhands(name).length < 2)
  );
};

/** The properties that a style property sets: itself, unless it is a shorthand. */
const longhands = (name: string): string[] => {
  const { style } = genuine(document, "createElement")("i");
  style.setProperty(name, "inherit");
  return Array.from(style);
};

/**
 * The content that an element would have without a change that replaced it. The parser may have been in the midst of the element: it goes
 * on within the last text of ours, and behind it. Nodes with which the page replaced ours count instead.
 */
export const contentBefore = (trace: Trace, element: Element): readonly (ChildNode | string)[] => {
  const noted = trace.replaced_;
  const children = [...genuine(element, "childNodes")];
  const nodes = children.filter((node) => !isInserted(node) && !noted?.own_.includes(node) && !(noted && isTranslation(node)));
  if (!noted) {
    return nodes;
  }
  const { before_: before, own_: own, text_: text } = noted;
  const last = own[own.length - 1];
  if ((last ? genuine(last, "parentNode") !== element && !children.some(isTranslation) : nodes.length) && !isArriving(element)) {
    return nodes;
  }
  const value = last?.nodeType === TEXT_NODE ? String(last.nodeValue) : text;
  // Otherwise an app has written into our text what it takes for its own.
  const content = value.startsWith(text) ? [...before.childNodes, value.slice(text.length)] : [value];
  return [...content, ...nodes].filter((node) => node);
};
