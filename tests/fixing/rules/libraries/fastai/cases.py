from __future__ import annotations

from tests.fixing.rules.executed.case import Case

PICTURES = """
from fastai.vision import *
import importlib
import os
from pathlib import Path
from PIL import Image as Pictures
for part in ('train', 'valid'):
    for label in ('a', 'b'):
        os.makedirs(f'd/{part}/{label}')
        for number in range(4):
            color = (50 * number, 90 if label == 'a' else 10, 0)
            Pictures.new('RGB', (40, 36), color).save(f'd/{part}/{label}/{label}_{number}.png')
"""
MADE = (
    PICTURES
    + """
today = importlib.import_module('fastai.vision.all')
ImageDataLoaders = today.ImageDataLoaders
data = ImageDataLoaders.from_folder(
    'd', bs=4, num_workers=0, item_tfms=today.Resize(32))
learn = today.vision_learner(
    data, today.resnet18, pretrained=False, metrics=today.error_rate)
learn.remove_cb(today.ProgressCallback)
"""
)
MODULES = ("fastai-modules",)
BATCH = "tuple(data.one_batch()[0].shape) == (4, 3, 32, 32)"

LOUD: list[Case] = [
    Case(
        "fastai-metrics",
        "",
        "from fastai.metrics import accuracy, root_mean_squared_error\n"
        "result = type(root_mean_squared_error).__name__",
        "result == 'AccumMetric'",
    ),
    Case("fastai-modules", "", "from fastai.vision import *\nresult = imagenet_stats"),
    Case("fastai-modules", "", "from fastai.callbacks import SaveModelCallback"),
    Case("fastai-modules", "", "from fastai.basic_train import Learner"),
    Case("fastai-v1", "from fastai.vision import *", "DatasetType.Test", fix=False),
    Case("fastai-0-7", "", "from fastai.conv_learner import *", fix=False),
    Case(
        "fastai-get-transforms",
        "from fastai.vision import *",
        "t = get_transforms(flip_vert=True, max_rotate=5.)\nresult = len(t) > 1",
        "result",
        also=MODULES,
    ),
    Case(
        "fastai-data-bunch",
        PICTURES,
        "data = ImageDataBunch.from_folder('d', ds_tfms=get_transforms(), size=32, bs=4, "
        "num_workers=0).normalize(imagenet_stats)",
        BATCH,
        also=(*MODULES, "fastai-get-transforms"),
    ),
    Case(
        "fastai-data-bunch",
        PICTURES,
        "data = ImageDataBunch.from_name_re('d', get_image_files(Path('d')), "
        "r'/([^/]+)_\\d+.png$', size=32, bs=4, num_workers=0)",
        BATCH + " and data.vocab == ['a', 'b']",
        also=MODULES,
    ),
    Case(
        "fastai-data-bunch",
        PICTURES + "import pandas as pd\n"
        "df = pd.DataFrame({'f': [f'a/a_{n}' for n in range(4)] + [f'b/b_{n}' for n in range(4)],"
        " 'y': ['a x'] * 4 + ['b'] * 4})\n",
        "data = (ImageList.from_df(df, 'd', folder='train', suffix='.png')\n"
        "        .split_by_rand_pct(0.25, seed=1).label_from_df(label_delim=' ')\n"
        "        .transform(get_transforms(), size=32).databunch(bs=4, num_workers=0))",
        BATCH + " and list(data.vocab) == ['a', 'b', 'x']",
        also=(*MODULES, "fastai-get-transforms"),
    ),
    Case(
        "fastai-tabular-bunch",
        "from fastai.tabular import *\nimport numpy as np\nimport pandas as pd\n"
        "df = pd.DataFrame({'a': np.arange(20.), 'c': list('xy') * 10, 'y': [0, 1] * 10})\n",
        "data = TabularDataBunch.from_df('.', df, 'y', valid_idx=[1, 2, 3], cat_names=['c'], "
        "cont_names=['a'], procs=[FillMissing, Categorify, Normalize], bs=8, num_workers=0)\n"
        "# metrics=accuracy",
        "list(data.vocab) == [0, 1] and len(data.valid_ds) == 3",
        also=MODULES,
    ),
    Case(
        "fastai-learner",
        MADE,
        "learn = create_cnn(data, models.resnet18, pretrained=False, metrics=error_rate, "
        "callback_fns=[partial(EarlyStoppingCallback, monitor='val_loss', patience=2)])",
        "learn.early_stopping.patience == 3",
        also=MODULES,
    ),
    Case(
        "fastai-fit",
        MADE,
        "learn.fit_one_cycle(1, max_lr=1e-3, moms=(0.9, 0.8))",
        "len(learn.recorder.values) == 1",
    ),
    Case("fastai-recorder", MADE + "learn.fit(1)\n", "learn.recorder.plot_losses()"),
    Case("fastai-show-batch", MADE, "data.show_batch(rows=2, figsize=(4, 4))"),
    Case(
        "fastai-predictions",
        MADE,
        "result = learn.get_preds(ds_type=DatasetType.Valid)",
        "len(result[0]) == 8",
        also=MODULES,
    ),
    Case(
        "fastai-open-image",
        PICTURES,
        "result = open_image('d/train/a/a_0.png')",
        "result.size == (40, 36)",
        also=MODULES,
    ),
    Case(
        "fastai-verify-images",
        PICTURES + "Path('d/train/a/c.png').write_text('no picture')\n",
        "verify_images('d/train/a', delete=True)",
        "not Path('d/train/a/c.png').exists()",
        also=MODULES,
    ),
    Case("fastai-classes", MADE, "result = data.classes", "list(result) == ['a', 'b']"),
]
SILENT: list[Case] = []
