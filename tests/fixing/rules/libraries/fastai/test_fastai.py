import pytest

from mle_modernizer_server.fixing.rules.knowledge import all_rules
from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, outcome

ALL = tuple(one.id for one in all_rules() if one.library == "fastai" and one.automatic)
STAR = "from fastai.vision import *"
TODAY = "from fastai.vision.all import *"


def rewritten(code: str, first: str = STAR) -> str:
    """Code of a cell after all rules, behind a cell with the import."""
    return cells(first, code, rules=ALL)[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (STAR, TODAY),
        ("from fastai.text import *", "from fastai.text.all import *"),
        ("from fastai.callbacks import *", "from fastai.callback.all import *"),
        ("from fastai.vision import Path, models", "from fastai.vision.all import Path, models"),
        ("from fastai.callbacks.hooks import *", "from fastai.callback.all import *"),
        (
            "from fastai.vision import Path, ImageImageList",
            "from fastai.vision.all import Path\nfrom fastai.vision import ImageImageList",
        ),
    ],
)
def test_module_of_fastai_1_becomes_todays(old: str, new: str) -> None:
    assert_rewrites("fastai-modules", old, new)


@pytest.mark.parametrize(
    "code",
    [
        TODAY,
        "from fastai.metrics import error_rate",
        "from fastai.vision import DatasetType",
        "from fastai.imports import *\nfrom fastai.conv_learner import *",
        "from fastai.conv_learner import *\nfrom fastai.vision import *",
        "from fastai2.vision.all import *",
    ],
)
def test_module_stays_that_is_not_fastai_1s(code: str) -> None:
    assert_stays("fastai-modules", code)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "data = ImageDataBunch.from_folder(p, train='.', valid_pct=.2, "
            "ds_tfms=get_transforms(), size=224, num_workers=4).normalize(imagenet_stats)",
            "data = ImageDataLoaders.from_folder(p, train='.', valid_pct=.2, num_workers=4, "
            "item_tfms=Resize(224), batch_tfms=[*aug_transforms(), "
            "Normalize.from_stats(*imagenet_stats)])",
        ),
        (
            "data = ImageDataBunch.from_name_re(p, names, pat, ds_tfms=get_transforms(), size=9)",
            "data = ImageDataLoaders.from_path_re(p, names, pat, item_tfms=Resize(9), "
            "batch_tfms=aug_transforms())",
        ),
        (
            "data = ImageDataBunch.from_df(p, df, folder='train', suffix='.jpg', size=9)",
            "data = ImageDataLoaders.from_df(df, p, folder='train', suff='.jpg', "
            "item_tfms=Resize(9))",
        ),
        (
            "data = ImageDataBunch.from_csv(p, csv_labels='labels.csv', size=28, ds_tfms=None)",
            "data = ImageDataLoaders.from_csv(p, csv_fname='labels.csv', item_tfms=Resize(28))",
        ),
        (
            "tfms = get_transforms(True, flip_vert=True)\n"
            "data = (ImageList.from_df(df, p, folder='train')\n"
            "        .split_by_rand_pct(0.1)\n"
            "        .label_from_df(label_delim=' ')\n"
            "        .transform(tfms, size=128)\n"
            "        .databunch(bs=16).normalize(imagenet_stats))",
            "tfms = aug_transforms(do_flip=True, flip_vert=True)\n"
            "data = ImageDataLoaders.from_df(df, p, folder='train', valid_pct=0.1, "
            "label_delim=' ', bs=16, item_tfms=Resize(128), "
            "batch_tfms=[*tfms, Normalize.from_stats(*imagenet_stats)])",
        ),
        (
            "src = ImageList.from_folder(p).split_by_rand_pct().label_from_func(f)\n"
            "data = src.transform(get_transforms(), size=8).databunch()",
            "data = ImageDataLoaders.from_path_func(p, get_image_files(p), f, valid_pct=0.2, "
            "item_tfms=Resize(8), batch_tfms=aug_transforms())",
        ),
        (
            "data = (ImageList.from_folder(p).split_by_folder().label_from_folder()"
            ".transform(get_transforms(), size=8, resize_method=ResizeMethod.SQUISH)"
            ".databunch(bs=4))",
            "data = ImageDataLoaders.from_folder(p, bs=4, item_tfms=Resize(8, method='squish'), "
            "batch_tfms=aug_transforms())",
        ),
    ],
)
def test_data_of_images_become_data_loaders(old: str, new: str) -> None:
    assert rewritten(old) == new


@pytest.mark.parametrize(
    "code",
    [
        "data = ImageDataBunch.from_folder(p, ds_tfms=mine, size=8)",
        "data = ImageDataBunch.from_folder(p, ds_tfms=([flip_lr()], []), size=8)",
        "data = ImageDataBunch.single_from_classes(p, classes)",
        "data = ImageDataBunch.from_folder(*given)",
        "data = ImageList.from_folder(p).split_none().label_empty().databunch()",
        "data = SegmentationItemList.from_folder(p).split_by_rand_pct().databunch()",
        "src = (ImageList.from_df(df, p).split_by_rand_pct().label_from_df().add_test(t)\n"
        "       .databunch())",
        "train, valid = get_transforms()",
        "tfms = get_transforms()\ntfms[0].append(cutout())",
        "tfms = get_transforms(xtra_tfms=[cutout()])",
        "learn = cnn_learner(data, arch, split_on=half)",
        "learn = cnn_learner(data, arch, callback_fns=[Mine])",
        "preds = learn.get_preds(ds_type=DatasetType.Test)",
        "img = open_image(f, div=False)",
    ],
)
def test_code_of_fastai_1_without_counterpart_stays(code: str) -> None:
    assert rewritten(code) == code


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "learn = create_cnn(data, models.resnet34, metrics=error_rate)",
            "learn = vision_learner(data, models.resnet34, metrics=error_rate)",
        ),
        (
            "cnn_learner(data, arch, callback_fns=[ShowGraph, partial(EarlyStoppingCallback, "
            "monitor='val_loss', patience=3)])",
            "vision_learner(data, arch, cbs=[ShowGraphCallback(), "
            "EarlyStoppingCallback(patience=4, monitor='valid_loss')])",
        ),
        (
            "learn.fit_one_cycle(4, max_lr=slice(1e-5), moms=(0.9, 0.8), "
            "callbacks=[SaveModelCallback(learn, every='improvement', monitor='accuracy')])",
            "learn.fit_one_cycle(4, lr_max=slice(1e-5), moms=(0.9, 0.8, 0.9), "
            "cbs=[SaveModelCallback(fname='bestmodel', monitor='accuracy')])",
        ),
        ("learn.recorder.plot(suggestion=True)", "learn.recorder.plot_lr_find()"),
        ("learn.recorder.plot_losses()", "learn.recorder.plot_loss()"),
        ("data.show_batch(rows=3, figsize=(5, 5))", "data.show_batch(max_n=9, figsize=(5, 5))"),
        ("p = learn.get_preds(ds_type=DatasetType.Valid)", "p = learn.get_preds(ds_idx=1)"),
        ("img = open_image(p / 'a.jpg')", "img = PILImage.create(p / 'a.jpg')"),
        (
            "download_images(p / file, dest, max_pics=9)",
            "download_images(dest, url_file=p / file, max_pics=9)",
        ),
        (
            "verify_images(p / c, delete=True, max_size=500)",
            "verify_images(get_image_files(p / c)).map(Path.unlink)",
        ),
    ],
)
def test_call_of_fastai_1_becomes_todays(old: str, new: str) -> None:
    assert rewritten(old) == new


def test_classes_of_the_data_are_the_vocabulary() -> None:
    code = "data = ImageDataBunch.from_folder(p, size=8)\nprint(data.classes)"
    assert rewritten(code).endswith("print(data.vocab)")
    assert rewritten("print(other.classes)") == "print(other.classes)"


def test_fit_of_keras_next_to_fastai_stays() -> None:
    code = "from keras.models import load_model\nm = load_model(f)\nm.fit(x, y, callbacks=[cb])"
    assert rewritten(code) == code


def test_named_imports_of_gone_names_leave_the_notebook() -> None:
    seen = cells(
        "from fastai.vision import ImageDataBunch, Path\n"
        "data = ImageDataBunch.from_folder(Path('p'), size=8)",
        rules=ALL,
    )
    assert "ImageDataBunch" not in seen[0]
    assert "from fastai.vision.all import Path" in seen[0]
    assert "from fastai.vision.all import ImageDataLoaders" in seen[0]


def test_other_split_and_augmentation_are_said() -> None:
    seen = outcome(STAR, "d = ImageDataBunch.from_folder(p, test='t', size=8)", rules=ALL)
    assert any("validation set is another one" in remark for remark in seen.remarks)
    assert any("test_dl" in remark for remark in seen.remarks)


def test_table_and_ratings_become_data_loaders() -> None:
    assert rewritten(
        "d = TabularDataBunch.from_df(p, df, 'y', valid_idx=v, procs=procs, cat_names=c)\n"
        "learn = tabular_learner(d, layers=[9], metrics=accuracy)",
        "from fastai.tabular import *",
    ).startswith(
        "d = TabularDataLoaders.from_df(df, p, procs=procs, cat_names=c, y_names='y', "
        "y_block=CategoryBlock(), valid_idx=v)"
    )
    assert (
        rewritten("d = CollabDataBunch.from_df(ratings, seed=4)", "from fastai.collab import *")
        == "d = CollabDataLoaders.from_df(ratings, seed=4)"
    )


def test_names_of_a_module_stay_with_the_module() -> None:
    first, code = cells(
        "import fastai.vision as fv",
        "d = fv.ImageDataBunch.from_folder(p, ds_tfms=fv.get_transforms(), size=8)\n"
        "d.show_batch(rows=2)\nlearn = fv.cnn_learner(d, arch)",
        rules=ALL,
    )
    assert first == "import fastai.vision.all as fv"
    assert code == (
        "d = fv.ImageDataLoaders.from_folder(p, item_tfms=fv.Resize(8), "
        "batch_tfms=fv.aug_transforms())\n"
        "d.show_batch(max_n=4)\nlearn = fv.vision_learner(d, arch)"
    )
